import process from 'node:process';

import type { GraphQLDataSource } from '@apollo/gateway';
import { ApolloGateway } from '@apollo/gateway';
import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

import { parseRaw } from '../support/exact-json.ts';
import { externalField } from './data-model.ts';
import type { SubgraphCall, FederationUnderTest } from './federation-under-test.ts';
import type { GeneratedOperation } from './generate-operation.ts';

/** `@apollo/gateway` over the same subgraphs. */
export interface StockGateway {
  ask(generated: GeneratedOperation): Promise<StockResponse>;
  close(): Promise<void>;
}

export interface StockResponse {
  /** As JSON; undefined where its planner fails. */
  readonly data: string | undefined;
  /** True when it has asked a subgraph for a field that is `@external` there, such as one of a key. */
  readonly asksExternal: boolean;
}

type Response = Awaited<ReturnType<GraphQLDataSource['process']>>;
type RequestContext = Parameters<ApolloGateway['executor']>[0];

export async function createStockGateway(federation: FederationUnderTest): Promise<StockGateway> {
  // The package sends telemetry to its maker unless this says otherwise when the gateway is created.
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1';
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  let asksExternal = false;
  const gateway = new ApolloGateway({
    supergraphSdl: federation.supergraphSdl,
    logger: silent,
    buildService: ({ name }) => ({
      async process({ request }) {
        const call = parseRaw(JSON.stringify(request)) as SubgraphCall;
        const result = await federation.askSubgraph(name, call, 'sound');
        asksExternal ||= JSON.stringify(result).includes(externalField);
        return parseRaw(JSON.stringify(result)) as Response;
      },
    }),
  });
  const { schema, executor } = await gateway.load();
  return {
    async ask({ operation: { document, name }, text, variables }) {
      const context = {
        request: { variables, ...(name !== undefined && { operationName: name }) },
        document,
        operationName: name ?? null,
        queryHash: `${name ?? ''}${text}`,
        context: {},
        metrics: {},
        schema,
        logger: silent,
      };
      asksExternal = false;
      try {
        const { data } = await executor(context as unknown as RequestContext);
        return { data: JSON.stringify(data ?? null), asksExternal };
      } catch {
        return { data: undefined, asksExternal };
      }
    },
    close: () => gateway.stop(),
  };
}

/**
 * The known fault of stock in an operation, by name; undefined for an operation that stock has to execute
 * correctly.
 */
export function stockFaultOf(
  { operation: { document }, text }: GeneratedOperation,
  { supergraphSdl }: FederationUnderTest,
): string | undefined {
  const used = featuresOf(document);
  if (used.has('alias')) {
    return 'an alias is taken for the field of its name';
  }
  if (used.has('condition')) {
    return 'conditions lose parents and siblings';
  }
  if (used.has('argument') || /requires: "[^"]*\(/.test(supergraphSdl)) {
    return 'fields are merged whatever their arguments';
  }
  if (/media|\b(?:title|score|critic|blurb)\b|\bon (?:Book|Film)\b/i.test(text)) {
    return 'an object of which only the interface object is known is null';
  }
  return undefined;
}

function featuresOf(document: DocumentNode): ReadonlySet<string> {
  const used = new Set<string>();
  visit(document, {
    Field: ({ alias, arguments: nodes = [] }) => {
      if (alias !== undefined) {
        used.add('alias');
      }
      if (nodes.length > 0) {
        used.add('argument');
      }
    },
    Directive: () => void used.add('condition'),
  });
  return used;
}
