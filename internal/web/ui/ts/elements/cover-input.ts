// <cover-input> around a form with a file shows the picture as a cover. The user crops it by dragging or by sliders, and
// the form sends the cropped picture. Without the element, the form sends the whole file.
const maxWidth = 1600;
const shape = 21 / 9;

type Slider = "zoom" | "x" | "y";

class CoverInput extends HTMLElement {
	private picture?: ImageBitmap;
	private canvas = document.createElement("canvas");

	connectedCallback() {
		const input = this.querySelector<HTMLInputElement>('input[type="file"]');
		const tools = this.querySelector<HTMLElement>("[data-crop]");
		if (!input || !tools || this.canvas.isConnected) return;
		this.canvas.setAttribute("role", "img");
		this.canvas.setAttribute("aria-label", tools.dataset.crop ?? "");
		tools.prepend(this.canvas);
		input.addEventListener("change", () => void this.open(input.files?.[0], tools));
		tools.addEventListener("input", () => this.draw());
		this.canvas.addEventListener("pointerdown", (e) => this.canvas.setPointerCapture(e.pointerId));
		this.canvas.addEventListener("pointermove", (e) => {
			if (e.buttons) this.move(e.movementX, e.movementY);
		});
		input.form?.addEventListener("formdata", (e) => this.send(e.formData, input.name));
	}

	private slider(name: Slider) {
		return this.querySelector<HTMLInputElement>(`input[data-slider="${name}"]`)!;
	}

	private async open(file: File | undefined, tools: HTMLElement) {
		this.picture?.close();
		this.picture = undefined;
		try {
			this.picture = file && (await createImageBitmap(file));
		} catch {
			// not a picture: the service refuses the file
		}
		tools.hidden = !this.picture;
		this.slider("zoom").value = "1";
		this.slider("x").value = this.slider("y").value = "50";
		this.draw();
	}

	// crop returns the area of the picture that the cover shows, in pixels of the picture.
	private crop(picture: ImageBitmap) {
		const width = Math.min(picture.width, picture.height * shape) / this.slider("zoom").valueAsNumber;
		const height = width / shape;
		const left = ((picture.width - width) * this.slider("x").valueAsNumber) / 100;
		const top = ((picture.height - height) * this.slider("y").valueAsNumber) / 100;
		return { left, top, width, height };
	}

	// move moves the picture by pixels of the page.
	private move(right: number, down: number) {
		if (!this.picture) return;
		const { width, height } = this.crop(this.picture);
		const scale = width / this.canvas.clientWidth;
		const shift = (name: Slider, pixels: number, rest: number) => {
			if (rest > 0) this.slider(name).valueAsNumber -= (100 * pixels * scale) / rest;
		};
		shift("x", right, this.picture.width - width);
		shift("y", down, this.picture.height - height);
		this.draw();
	}

	private draw() {
		const context = this.canvas.getContext("2d");
		if (!this.picture || !context) return;
		const { left, top, width, height } = this.crop(this.picture);
		this.canvas.width = Math.min(maxWidth, Math.round(width));
		this.canvas.height = Math.round(this.canvas.width / shape);
		context.fillStyle = "white"; // below what is transparent
		context.fillRect(0, 0, this.canvas.width, this.canvas.height);
		context.drawImage(this.picture, left, top, width, height, 0, 0, this.canvas.width, this.canvas.height);
		this.slider("x").disabled = this.picture.width - width < 1;
		this.slider("y").disabled = this.picture.height - height < 1;
	}

	// send replaces the file with the cropped picture. It is synchronous, because the browser sends the form at once.
	private send(form: FormData, name: string) {
		if (!this.picture) return;
		const [, data = ""] = this.canvas.toDataURL("image/jpeg", 0.9).split(",");
		form.set(name, new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], "cover.jpg", { type: "image/jpeg" }));
	}
}

customElements.define("cover-input", CoverInput);
