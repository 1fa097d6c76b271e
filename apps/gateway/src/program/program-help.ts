import { gatewayFlags } from './gateway-help.ts';

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
