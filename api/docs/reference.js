// The base address of the API, which may have a path: this file is at docs/reference.js.
const base = new URL("..", document.currentScript.src).href;

// Swagger UI does not resolve the relative server of the contract.
const useBase = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (spec) => update({ ...spec, servers: [{ url: base.replace(/\/$/, "") }] }),
      },
    },
  },
};

// Shows the contract. Operations are collapsed under their tags; "Try it out" calls this server.
SwaggerUIBundle({
  url: base + "api/openapi.yaml",
  plugins: [useBase],
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelRendering: "model",
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: false,
  validatorUrl: null,
});
