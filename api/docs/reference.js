// Shows the contract. Operations stand closed under their tags; "Try it out" calls this very server.
SwaggerUIBundle({
  url: "/api/openapi.yaml",
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
