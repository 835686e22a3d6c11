// <cover-input> shows the chosen picture cropped to the shape of a cover. The user moves and
// enlarges it; the form sends the part that is shown. Without it, the form sends the file.
const width = 1600;
const height = 686;

class CoverInput extends HTMLElement {
	private picture?: ImageBitmap;
	private x = 0.5; // the shown part of what does not fit: 0 left, 1 right
	private y = 0.5;
	private readonly canvas = document.createElement('canvas');

	connectedCallback() {
		const input = this.querySelector<HTMLInputElement>('input[type="file"]');
		const zoom = this.querySelector<HTMLInputElement>('input[type="range"]');
		if (!input || this.canvas.isConnected) return;
		Object.assign(this.canvas, {width, height, tabIndex: 0, hidden: true});
		this.canvas.setAttribute('role', 'img');
		this.canvas.setAttribute('aria-label', this.dataset.label ?? '');
		input.after(this.canvas);
		input.addEventListener('change', () => this.open(input, zoom));
		zoom?.addEventListener('input', () => this.draw(zoom));
		this.canvas.addEventListener('pointermove', (e) => {
			if (!e.buttons) return;
			this.canvas.setPointerCapture(e.pointerId);
			this.move(-e.movementX, -e.movementY, zoom);
		});
		this.canvas.addEventListener('keydown', (e) => {
			const step = ({ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8]} as Record<string, [number, number]>)[e.key];
			if (!step) return;
			e.preventDefault();
			this.move(...step, zoom);
		});
		input.form?.addEventListener('formdata', (e) => this.send(e.formData, input.name));
	}

	private async open(input: HTMLInputElement, zoom: HTMLInputElement | null) {
		const file = input.files?.[0];
		this.picture = undefined;
		try {
			this.picture = file && (await createImageBitmap(file));
		} catch {
			// not a picture: the service says so
		}
		this.canvas.hidden = !this.picture;
		if (zoom) {
			zoom.hidden = !this.picture;
			zoom.value = zoom.min;
		}
		this.x = this.y = 0.5;
		this.draw(zoom);
	}

	// size returns the width and height of the shown part of the picture.
	private size(picture: ImageBitmap, zoom: HTMLInputElement | null) {
		const scale = Math.min(picture.width / width, picture.height / height) / Number(zoom?.value || 1);
		return [width * scale, height * scale] as const;
	}

	private move(dx: number, dy: number, zoom: HTMLInputElement | null) {
		if (!this.picture) return;
		const [w, h] = this.size(this.picture, zoom);
		const perPixel = w / this.canvas.clientWidth;
		const moved = (at: number, by: number, room: number) => (room > 0 ? Math.max(0, Math.min(1, at + (by * perPixel) / room)) : at);
		this.x = moved(this.x, dx, this.picture.width - w);
		this.y = moved(this.y, dy, this.picture.height - h);
		this.draw(zoom);
	}

	private draw(zoom: HTMLInputElement | null) {
		if (!this.picture) return;
		const [w, h] = this.size(this.picture, zoom);
		this.canvas.getContext('2d')?.drawImage(this.picture, (this.picture.width - w) * this.x, (this.picture.height - h) * this.y, w, h, 0, 0, width, height);
	}

	// send replaces the file by the part that is shown. Forms are sent at once, so it must not wait.
	private send(form: FormData, name: string) {
		if (!this.picture) return;
		const [type = '', data = ''] = this.canvas.toDataURL('image/jpeg', 0.9).split(';base64,');
		const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
		form.set(name, new File([bytes], 'cover.jpg', {type: type.replace('data:', '')}));
	}
}

customElements.define('cover-input', CoverInput);
