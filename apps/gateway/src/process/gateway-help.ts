/** The text of `pnpm gateway --help`. */
export const gatewayHelp = `Usage: pnpm gateway [flags]

Answers GraphQL over a federated supergraph, configured by router.yaml; the keys
are in docs/router-yaml.md, and pnpm router-config check <file> looks a file over.

  --workers <n>  answer in so many processes, which share the port (1)
  --help         print this

SUPERGRAPH_PATH             the composed supergraph (supergraph.graphql)
ROUTER_CONFIG_PATH          the configuration (router.yaml)
ROUTER_CONFIG_OVERLAY_PATH  a file to lay over it
HOST, PORT                  where it listens, before what the file says
ADMIN_HOST, ADMIN_PORT      the same for /livez, /readyz and /metrics
REDIS_URL                   what gateways share: throttle, registered operations
DATABASE_URL                where it records which fields are used
WEB_CONCURRENCY             as --workers
SHUTDOWN_GRACE_MS           for requests under way when it is stopped (10000)

router.yaml may name other variables, as \${env.NAME}.
`;
