// The one connection of a page, for all that changes while it is open.
import { Realtime, type Frame, type Position, type State, type Topic } from "../../../../../sdk/typescript/src/realtime";

export type { Frame };

export const realtime = new Realtime({ url: location.origin + "/api" });

const listeners = new Map<Topic, (frame: Frame) => void>();
let state: State = "stopped", showState: (state: State) => void = () => {};

realtime.onFrame = (frame) => listeners.get(frame.topic ?? "me")?.(frame); // frames about the user have no topic
realtime.onState = (now) => showState(state = now);

/** Subscribes to a topic, which has one listener. See Realtime.subscribe. */
export function listen(topic: Topic, listener: (frame: Frame) => void, after?: Position) {
	listeners.set(topic, listener);
	realtime.subscribe(topic, after);
}

export function unlisten(topic: Topic) {
	listeners.delete(topic);
	realtime.unsubscribe(topic);
}

/** Calls a function with the state of the connection, and with each later one. */
export function watchState(show: (state: State) => void) {
	showState = show;
	show(state);
}
