import { mount } from "svelte";
import "../../../internal/web/ui/css/site.css";
import App from "./App.svelte";

mount(App, { target: document.body });
