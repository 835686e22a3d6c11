// The page of the event list and of an event as a single page app. The web client must be faster: see docs/web.md.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({ base: "/svelte/", plugins: [svelte()] });
