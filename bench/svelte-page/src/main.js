import { mount } from "svelte";
import "../../../internal/web/ui/css/site.css";
import "../../../internal/web/ui/css/first-list.css";
import "../../../internal/web/ui/css/first-event.css";
import App from "./App.svelte";

mount(App, { target: document.body });
