/** The flags and variables of every program that runs the gateway. */
const gatewayFlags = `  --supergraph <file>  the composed supergraph (supergraph.graphql); also https://…, s3://bucket/key
                       or oci://registry/repository:tag, which it follows
  --config <file>      the configuration (router.yaml)
  --dev                for work on this machine: an explorer at /explorer, introspection,
                       operations without a name, unmasked errors
  --subgraph <name>=<url>  with --dev, instead of a supergraph: asks a running subgraph for its
                       schema, composes, and again whenever it changes; once for each subgraph
  --host <address>     the address to listen on; overrides the configuration
  --port <number>
  --admin-port <number>  the same for /livez, /readyz and /metrics
  --workers <number>   serve in so many processes, which share the port (1)
  --ignore-unsupported  start although the configuration has keys that only Apollo Router has, unless
                       they limit callers or protect what is sent; for a trial
  --help               print this

Most flags have a variable, which the flag overrides:

SUPERGRAPH_PATH, ROUTER_CONFIG_PATH, HOST, PORT, ADMIN_PORT, WEB_CONCURRENCY,
UNSUPPORTED_KEYS (error, or warn)
LOG_LEVEL, LOG_FORMAT       from trace to fatal, or silent (info); json or text (json; text with --dev
                            on a terminal)
ROUTER_CONFIG_OVERLAY_PATH  a file to lay over the configuration
ADMIN_HOST                  where the admin listener is
REDIS_URL                   what gateways share: throttle, automatic persisted queries
DATABASE_URL                where it records which fields are used
REMOTE_FILES_PATH           where copies of https://, s3:// and oci:// files are (.meridian/remote)
SHUTDOWN_GRACE_MS           for requests under way when it is stopped (10000, or what the configuration says)
WORKER_TIMEOUT_MS           a worker that hangs for longer is replaced (10000)
MAX_CONNECTIONS             at a time (one for each 256 KiB of the heap's limit)

Apollo Router's flags -s, -c, --listen, --log and --hot-reload (always on) and its variables
APOLLO_ROUTER_SUPERGRAPH_PATH, _SUPERGRAPH_URLS, _CONFIG_PATH, _LISTEN_ADDRESS, _LOG and _DEV work too.

The configuration may name other variables, as \${env.NAME}.
`;

/** The text of `pnpm gateway --help`. */
export const gatewayHelp = `Usage: pnpm gateway [flags]

Serves GraphQL over a federated supergraph, configured by router.yaml; the keys
are in docs/router-yaml.md, and pnpm router-config check <file> checks a file.

${gatewayFlags}`;

/** The text of `meridian-gateway --help`. */
export const programHelp = `Usage: meridian-gateway [flags]
       meridian-gateway compose <supergraph.yaml>
       meridian-gateway check <file>
       meridian-gateway plan <file>
       meridian-gateway explain <trace id>

Serves GraphQL over a federated supergraph, configured by Apollo Router's keys. Without
--config, in a folder without router.yaml, every key has its default.

compose  composes subgraphs into a supergraph
check    says how the gateway reads each key of a Router configuration
plan     shows the query plan of an operation
explain  shows what happened to a recent request
         Each has its own --help.

${gatewayFlags.replace('  --help ', '  --version            print the version\n  --help ')}`;
