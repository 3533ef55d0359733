// A real authorization server (npm: oidc-provider) that asks nobody.
// Arguments: the port of the MCP server; the seconds of an access token.
import http from "node:http";
import { createRequire } from "node:module";

const require = createRequire(process.env.PROVIDER_FOLDER + "/");
const { default: Provider } = await import(require.resolve("oidc-provider"));
const [resourcePort, lifetime] = process.argv.slice(2);
const resource = `http://127.0.0.1:${resourcePort}/mcp`;

const server = http.createServer((request, response) => handle(request, response));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;
const counts = { refresh: 0, reuse: 0, register: 0 };
let dead = false;

const provider = new Provider(issuer, {
  scopes: ["openid", "offline_access", "todo:read"],
  clientAuthMethods: ["none", "client_secret_basic", "client_secret_post"],
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, indicator) => {
        if (indicator !== resource) throw new Error("another resource");
        return { scope: "todo:read", audience: indicator, accessTokenFormat: "opaque" };
      },
    },
  },
  ttl: { AccessToken: () => Number(lifetime), RefreshToken: () => 3600 },
  rotateRefreshToken: () => true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
  findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
});
provider.on("grant.success", (ctx) => {
  if (ctx.oidc.params.grant_type === "refresh_token") counts.refresh += 1;
});
provider.on("grant.revoked", () => { counts.reuse += 1; });
provider.on("registration_create.success", () => { counts.register += 1; });
const callback = provider.callback();

// The person: logs in and agrees to everything.
async function agree(request, response) {
  const { prompt, params, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  }
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: "ada", clientId: params.client_id });
  grant.addOIDCScope("openid offline_access todo:read");
  grant.addResourceScope(resource, "todo:read");
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent });
}

// For tests: which token is good, what happened, and what goes wrong from now on.
async function admin(url, response) {
  const answer = (value) => response.end(JSON.stringify(value));
  if (url.pathname === "/admin/check") {
    const token = await provider.AccessToken.find(url.searchParams.get("token"));
    return answer(token && !token.isExpired ? { client: token.clientId, aud: token.aud } : {});
  }
  if (url.pathname === "/admin/revoke") {
    const token = await provider.RefreshToken.find(url.searchParams.get("token"));
    if (token) await provider.Grant.adapter.destroy(token.grantId);
    if (token) await token.destroy();
    return answer({ revoked: Boolean(token) });
  }
  if (url.pathname === "/admin/dead") dead = url.searchParams.get("on") === "1";
  return answer({ ...counts, dead });
}

async function handle(request, response) {
  const url = new URL(request.url, issuer);
  if (url.pathname.startsWith("/admin/")) return admin(url, response);
  if (dead) return response.destroy();
  if (url.pathname.startsWith("/interaction/")) return agree(request, response);
  return callback(request, response);
}
console.log(issuer);
