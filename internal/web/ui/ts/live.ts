// The module of what changes while a page is open. The pages of visitors who are signed in load it.
import "./live/badges";
import "./live/event-chat";
import "./live/live-event";
import { realtime } from "./live/connection";

realtime.start(); // after the elements have subscribed
