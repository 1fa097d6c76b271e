import { checked, listOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { amount, byteSize, headerValue, text, url, urlPath } from '../declaration/value-types.ts';

const resourceUrl = checked(url(['https', 'http']), (resource) =>
  resource.includes('#') || resource.includes('?')
    ? 'must be without a query and without a fragment (RFC 8707)'
    : undefined,
);

/** Keys that Apollo Router does not have: Apollo's MCP server is a program of its own. */
export const mcp = section({
  enabled: flag(
    'Serves the operations of the manifest as tools of the Model Context Protocol, over streamable HTTP',
  ),
  path: key(urlPath, { default: '/mcp', note: 'The path of the endpoint' }),
  resource: key(resourceUrl, {
    note: 'The public URL of the endpoint, by which OAuth clients know it, such as https://api.example/mcp. Default, in development alone where callers have tokens: the host that the client names, and the path',
  }),
  audiences: key(listOf(text), {
    note: 'The audiences of tokens for this endpoint: a token needs one of them in aud, usually the resource. Default: as for the graph',
  }),
  authorization_servers: key(listOf(url(['https', 'http'])), {
    note: 'The issuers at which clients get tokens. Default: those whose tokens are accepted',
  }),
  allow_anonymous: flag(
    'Admits callers without a token, unless authorization.require_authentication is true. A tool whose fields need scopes still asks for one',
  ),
  mutations: flag('Makes mutations tools too'),
  operations: key(
    listOf(
      section({
        name: key(text, { required: true, note: 'The name of an operation, or its identifier' }),
        description: key(text, {
          note: 'The description for models. Default: the comment above the operation, else the descriptions of its root fields, with what it selects there',
        }),
      }),
    ),
    { note: 'The operations that are tools, with descriptions. Default: all of the manifest' },
  ),
  max_response_bytes: key(byteSize, {
    default: '64KiB',
    note: 'The longest response. A longer one is an error that says how to ask for less: it would fill the context of a model',
  }),
  max_cost: key(amount, {
    note: 'The most that a call may cost, by the estimate of demand_control. Default: as for the graph',
  }),
  client_name: key(headerValue, {
    default: 'mcp',
    note: 'The name of the client in usage, metrics and logs. Operations of the manifest that only this client may use are tools too',
  }),
});
