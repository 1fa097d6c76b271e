import type { KeyType, ValueOf } from '../declaration/key-type.ts';
import { invalid, listOf, scalar } from '../declaration/key-type.ts';
import type { Keys } from '../declaration/key.ts';
import { flag, key, section } from '../declaration/key.ts';
import { orExpansion } from '../declaration/json-schema.ts';
import { boolean, booleanOr, duration, oneOf, text } from '../declaration/value-types.ts';
import { conditionAt } from './telemetry/custom/conditions.ts';
import type { Stage } from './telemetry/custom/selector-rules.ts';

/** The query of a socket's URL may name the path of the requests: `unix:///run/a.sock?path=/b`. */
const coprocessorUrl = scalar({
  takes: 'a URL with http, https or unix, such as http://127.0.0.1:8081 or unix:///var/run/coprocessor.sock',
  read: (value) => (typeof value === 'string' && isCoprocessorUrl(value) ? value : undefined),
  schema: orExpansion({ type: 'string', examples: ['http://127.0.0.1:8081'] }),
});

function isCoprocessorUrl(written: string): boolean {
  const url = URL.parse(written);
  return url?.protocol === 'unix:'
    ? url.host === '' && url.pathname.length > 1
    : /^https?:$/u.test(url?.protocol ?? '');
}

const contextWord = oneOf('all', 'deprecated', 'none');
const selectedContext = section({
  selective: key(listOf(text), { required: true, note: 'Sends only these keys' }),
});

/** The keys of the context that are sent: all of them, all by their names before Router 2, or the listed ones. */
export type SentContext = 'all' | 'deprecated' | readonly string[] | undefined;

const sentContext: KeyType<SentContext> = {
  read: (value, at) => {
    if (typeof value === 'boolean') {
      return value ? 'deprecated' : undefined;
    }
    if (typeof value === 'string') {
      const word = contextWord.read(value, at);
      return word === 'none' ? undefined : word;
    }
    const read = selectedContext.read(value, at);
    return read === invalid ? invalid : read.selective;
  },
  schema: { anyOf: [boolean.schema, contextWord.schema, selectedContext.schema] },
};

const sentResponseBody = booleanOr(
  section({
    data: flag('Sends data'),
    errors: flag('Sends errors'),
    extensions: flag('Sends extensions'),
  }),
);

/** The keys of every stage. */
const common = {
  headers: flag('Sends the header fields'),
  context: key(sentContext, {
    default: false,
    note: 'Sends the context: all keys, only the ones in `selective`, or none; `deprecated` and `true` use the names before Router 2',
  }),
  url: key(coprocessorUrl, { note: 'The coprocessor of this stage, instead of the one of all stages' }),
};
const bodyAsText = flag('Sends the body, as a text');
const requestBody = flag('Sends the body');
const responseBody = key(sentResponseBody, {
  default: false,
  note: 'Sends the body of the response, or only some of its members',
});
const sdl = flag('Sends the text of the supergraph, which may be long');
const method = flag('Sends the method');
const statusCode = flag('Sends the status');
const serviceName = flag('Sends the name of the subgraph');
const subgraphRequestId = flag(
  'Sends an identifier that the request to a subgraph and its response have in common',
);

/** The keys of a stage with a condition, after the common ones. */
function atStage<const Request extends Keys, const Response extends Keys>(
  stage: Stage,
  request: Request,
  response: Response,
) {
  const condition = (when: 'request' | 'response') =>
    key(conditionAt({ stage, when }), {
      note: 'Calls the coprocessor only where it is true. Default: for each request',
    });
  return {
    request: section({ ...common, condition: condition('request'), ...request }),
    response: section({ ...common, condition: condition('response'), ...response }),
  };
}

const clientSection = section({
  experimental_http2: key(oneOf('enable', 'disable', 'http2only'), {
    note: 'enable uses HTTP/2 with a coprocessor that offers it over TLS; http2only uses nothing else, also without TLS. Default: HTTP/1.1',
    since: { '3.0': 'http2' },
  }),
  experimental_http2_keep_alive_interval: key(duration, {
    note: 'Sends a PING over each HTTP/2 connection at this interval, and closes it where none comes back. Default: no PING',
  }),
  dns_resolution_strategy: key(
    oneOf('ipv4_only', 'ipv6_only', 'ipv4_and_ipv6', 'ipv6_then_ipv4', 'ipv4_then_ipv6'),
    { default: 'ipv4_then_ipv6', note: 'The addresses of a host name that are tried, and their order' },
  ),
  pool_idle_timeout: key(duration, {
    default: '15s',
    note: 'Closes a connection that was not used for so long',
  }),
});

/** A program that sees requests and responses, and may change them: Apollo Router's protocol, version 1. */
export const coprocessor = section({
  url: key(coprocessorUrl, {
    required: true,
    note: 'The address of the coprocessor, which gets a POST with JSON for each configured stage. docs/coprocessors.md has the protocol',
  }),
  client: key(clientSection, { default: {} }),
  timeout: key(duration, {
    default: '1s',
    note: 'The time for one request to the coprocessor. One that fails, or takes longer, fails the request of the client with 500',
  }),
  response_validation: key(boolean, {
    default: true,
    note: 'Rejects a response of the coprocessor whose body is not a GraphQL response; with false, such a body is ignored',
  }),
  router: section(
    atStage(
      'router',
      { body: bodyAsText, sdl, path: flag('Sends the request target'), method },
      { body: bodyAsText, sdl, status_code: statusCode },
    ),
  ),
  supergraph: section(
    atStage(
      'supergraph',
      { body: requestBody, sdl, method },
      { body: responseBody, sdl, status_code: statusCode },
    ),
  ),
  execution: section({
    request: section({ ...common, body: requestBody, sdl, method }),
    response: section({ ...common, body: responseBody, sdl, status_code: statusCode }),
  }),
  subgraph: section({
    all: section(
      atStage(
        'subgraph',
        {
          body: requestBody,
          uri: flag('Sends the URL of the subgraph'),
          method,
          service_name: serviceName,
          subgraph_request_id: subgraphRequestId,
        },
        {
          body: responseBody,
          service_name: serviceName,
          status_code: statusCode,
          subgraph_request_id: subgraphRequestId,
        },
      ),
    ),
  }),
});

/** The coprocessor of a configuration. */
export type CoprocessorRules = ValueOf<typeof coprocessor>;
