// An OpenID provider for tests: oidc-provider with one client, whose
// development pages let anybody in under any name. It prints its issuer and
// ends with its input.
import http from 'node:http';
import Provider from 'oidc-provider';

const [callback] = process.argv.slice(2);
const server = http.createServer();
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    { client_id: 'moothall-web', client_secret: 'a secret of tests only', redirect_uris: [callback], response_types: ['code'], grant_types: ['authorization_code'] },
  ],
  pkce: { required: () => true, methods: ['S256'] },
  conformIdTokenClaims: false, // e-mail and name stand in the ID token
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: `Test ${id}`, email: `${id}@example.org`, email_verified: !id.startsWith('unverified') }),
  }),
});
server.on('request', provider.callback());
process.stdin.resume().on('end', () => process.exit());
console.log(issuer);
