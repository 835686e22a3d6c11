// Shows the contract. Operations are collapsed under their tags, and open ready to call this server.

// The base address of the API, which may have a path: this file is at docs/reference.js.
const base = new URL("..", document.currentScript.src).href;
const server = base.replace(/\/$/, "");

// leaveEmpty removes the value that the form would fill in for an optional parameter:
// together, such values find nothing. The description keeps it.
function leaveEmpty(parameter) {
  if (parameter.required) return parameter;
  const { example, schema: { default: preset, ...schema }, ...rest } = parameter;
  const note = (name, value) => value === undefined ? "" : ` ${name}: \`${value}\`.`;
  return { ...rest, schema, description: (rest.description ?? "") + note("Default", preset) + note("Example", example) };
}

// sampleDetails returns the samples of samples.js for an operation as HTML, for the address of this server. Swagger UI
// removes classes, and ends HTML at an empty line.
function sampleDetails(id) {
  const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const details = Object.entries(samples[id] ?? {}).map(([language, code]) =>
    `<details><summary>${language}</summary><pre>${escape(code.replaceAll("https://moothall.example.org", server))}</pre></details>`);
  return `\n\n<div>${details.join("")}</div>`;
}

// prepare returns the contract for the forms. Swagger UI resolves neither the relative server
// nor the parameters that the operations of a path share.
function prepare(contract) {
  const resolve = (p) => p.$ref ? contract.components.parameters[p.$ref.split("/").pop()] : p;
  const paths = Object.entries(contract.paths).map(([path, { parameters: shared = [], ...operations }]) => [path,
    Object.fromEntries(Object.entries(operations).map(([method, { parameters: own = [], ...operation }]) => [method,
      { ...operation, description: (operation.description ?? "") + sampleDetails(operation.operationId), parameters: [...shared, ...own].map(resolve).map(leaveEmpty) }]))]);
  return { ...contract, servers: [{ url: server }], paths: Object.fromEntries(paths) };
}

const prepared = () => ({
  statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (contract) => update(prepare(contract)) } } },
});

// authorize uses the access token of a sign-in for the next calls.
function authorize(response) {
  const token = response.obj && response.obj.access_token;
  if (token) reference.preauthorizeApiKey("bearerAuth", token);
  return response;
}

const reference = SwaggerUIBundle({
  url: base + "api/openapi.yaml",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelRendering: "model",
  defaultModelExpandDepth: 2,
  defaultModelsExpandDepth: 0,
  filter: true,
  persistAuthorization: false,
  plugins: [prepared],
  responseInterceptor: authorize,
  tryItOutEnabled: true,
  validatorUrl: null,
});
