type MapModule = typeof import("./map");

// loadMap returns the module of maps, whose address the host has. It is no part of other scripts.
export const loadMap = (host: HTMLElement) => import(host.dataset.module ?? "") as Promise<MapModule>;
