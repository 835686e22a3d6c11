// <event-chat> around the messages of an event shows new ones as they are sent, says who types, marks what is seen as
// read, and sends without loading the page again. Without it, the page is loaded again to see more.
import { clock } from "../clock";
import { fetchAgain } from "../retry";
import { listen, realtime, unlisten, watchState, type Frame } from "./connection";

interface Message {
	id: string;
	author_user_id: string;
	author: { display_name: string; name_chosen: boolean } | null;
	body: string;
	created_at: string;
}

const typingEvery = 3_000; // milliseconds

// linkify returns a text with links, like the page that the service renders.
function linkify(text: string): (string | HTMLElement)[] {
	return text.split(/(https:\/\/[^\s<>"'`\\^{|}]*[^\s<>"'`\\^{|}.,:;!?)\]])/).map((piece, i) => {
		if (i % 2 === 0) return piece;
		const link = document.createElement("a");
		link.href = link.textContent = piece;
		link.rel = "ugc nofollow noopener";
		return link;
	});
}

class EventChat extends HTMLElement {
	private topic = "";
	private last = "";
	private typedAt = 0;
	private hideTyping?: ReturnType<typeof setTimeout>;

	connectedCallback() {
		if (this.topic || !this.hasAttribute("live")) return;
		this.topic = "chat:" + this.getAttribute("event");
		this.last = this.getAttribute("last") ?? "";
		this.addEventListener("submit", this.send, true); // before htmx
		this.addEventListener("input", this.tellTyping);
		this.addEventListener("keydown", this.sendOnEnter);
		this.query(".log").addEventListener("scroll", this.markRead);
		document.addEventListener("visibilitychange", this.markRead);
		listen(this.topic, (frame) => this.receive(frame), this.last || "0");
		watchState((state) => this.show(state));
	}

	disconnectedCallback() {
		document.removeEventListener("visibilitychange", this.markRead);
		if (this.topic) unlisten(this.topic);
		this.topic = "";
	}

	private query<T extends HTMLElement>(selector: string) { return this.querySelector<T>(selector)!; }

	private receive(frame: Frame) {
		switch (frame.op) {
			case "message":
				this.add(frame.message as Message);
				this.last = frame.position ?? this.last;
				this.markRead();
				break;
			case "typing":
				this.showTyping(String(frame.user_id), Number(frame.seconds));
				break;
			case "revoked":
				location.reload(); // the page of the event says why
		}
	}

	private nameOf({ author }: Message) {
		return author?.name_chosen ? author.display_name : this.getAttribute(author ? "guest" : "former")!;
	}

	private add(m: Message) {
		if (document.getElementById("message-" + m.id)) return;
		const list = this.query("#messages");
		const line = (this.query<HTMLTemplateElement>("template").content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
		const at = new Date(m.created_at), zone = this.getAttribute("zone") ?? undefined;
		const name = this.nameOf(m), report = line.querySelector("a")!;
		const shown = list.lastElementChild as HTMLElement | null;
		line.id = "message-" + m.id;
		line.dataset.author = m.author_user_id;
		line.classList.toggle("own", m.author_user_id === this.getAttribute("viewer"));
		line.classList.toggle("again", shown?.dataset.author === m.author_user_id);
		report.href = report.href.replace("target_id=", "$&" + m.id);
		if (line.classList.contains("own")) report.remove();
		this.copyFace(line, m.author_user_id, name);
		line.querySelector("bdi")!.textContent = name;
		line.querySelector(".prose")!.append(...linkify(m.body));
		const time = line.querySelector("time")!;
		time.dateTime = m.created_at;
		time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { timeZone: zone, ...clock() }).format(at);
		list.append(line);
		this.querySelector(".quiet.soft")?.remove();
		this.query("[data-typing]").hidden = true;
	}

	// copyFace shows the picture of an author who has written before, otherwise the first letter of the name.
	private copyFace(line: HTMLElement, author: string, name: string) {
		const face = line.querySelector(".face")!;
		const known = this.querySelector(`[data-author="${CSS.escape(author)}"] .face`);
		if (known) face.replaceWith(known.cloneNode(true));
		else face.textContent = [...name.trim()][0]?.toUpperCase() ?? "";
	}

	private show(state: string) {
		for (const text of this.querySelectorAll<HTMLElement>("[data-state]")) text.hidden = text.dataset.state !== state;
		this.dataset.now = state;
	}

	private showTyping(user: string, seconds: number) {
		const text = this.query("[data-typing]");
		const name = this.querySelector(`[data-author="${CSS.escape(user)}"] bdi`)?.textContent ?? this.getAttribute("someone")!;
		text.textContent = this.getAttribute("typing")!.replace("%s", name);
		text.hidden = false;
		clearTimeout(this.hideTyping);
		this.hideTyping = setTimeout(() => { text.hidden = true; }, seconds * 1000);
	}

	// markRead marks the messages as read if the last one is in view. The log grows upwards: its end is at 0.
	private markRead = () => {
		if (this.last && !document.hidden && this.query(".log").scrollTop > -40) realtime.markRead(this.topic, this.last);
	};

	private tellTyping = () => {
		if (Date.now() - this.typedAt < typingEvery) return;
		this.typedAt = Date.now();
		realtime.typing(this.topic);
	};

	// A keyboard sends by Enter. On a screen keyboard, Enter begins a line.
	private sendOnEnter = (event: KeyboardEvent) => {
		if (event.key !== "Enter" || event.shiftKey || event.isComposing || matchMedia("(pointer: coarse)").matches) return;
		if (!(event.target instanceof HTMLTextAreaElement)) return;
		event.preventDefault();
		event.target.form?.requestSubmit();
	};

	// A message has the same id each time that it is sent, so that it is stored once.
	private send = async (event: SubmitEvent) => {
		event.preventDefault();
		event.stopPropagation();
		const form = event.target as HTMLFormElement, button = this.query<HTMLButtonElement>("button[type=submit]");
		const id = form.elements.namedItem("client_message_id") as HTMLInputElement;
		const body = form.elements.namedItem("body") as HTMLTextAreaElement;
		if (button.disabled) return;
		button.disabled = true;
		try {
			const response = await fetchAgain(`/api/events/${this.getAttribute("event")}/messages`, {
				method: "POST", headers: { "Content-Type": "application/json" },
				body: JSON.stringify({ body: body.value, client_message_id: id.value }),
			}, true);
			if (!response.ok && response.status < 500) return form.submit(); // the page says why
			if (!response.ok) throw new Error(String(response.status));
			this.add(await response.json() as Message);
			id.value = crypto.randomUUID();
			body.value = "";
			this.query(".log").scrollTop = 0;
		} catch {
			this.show("unsent");
		} finally {
			button.disabled = false;
			this.typedAt = 0;
			body.focus();
		}
	};
}

customElements.define("event-chat", EventChat);
