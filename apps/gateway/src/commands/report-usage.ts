import process from 'node:process';

import { CommandError, counted } from '@meridian/settings/command-line';
import { printableLines } from '@meridian/settings/values';
import type { GraphQLSchema } from 'graphql';
import { isInterfaceType, isObjectType } from 'graphql';

import { subgraphValues } from '../supergraph/applied-directives.ts';
import { describeUse } from '../usage/describe-use.ts';
import { explainNoUse } from '../usage/explain-no-use.ts';
import { fieldsOfSubgraph } from '../usage/fields-of-subgraph.ts';
import { operationReport, operationTables } from '../usage/report-operations.ts';
import type { FieldUse, UsageFilter, UsageRecords } from '../usage/usage-records.ts';
import { readSupergraph } from './read-file.ts';
import { withUsageRecords } from './with-usage-records.ts';

/** The request of `pnpm graph usage`. */
export interface UsageQuery {
  readonly filter: UsageFilter;
  /** Only what uses a field that this subgraph resolves. */
  readonly subgraph: string | undefined;
  readonly days: number;
  readonly isJson: boolean;
  readonly supergraphPath: string;
}

/**
 * Prints who uses which fields; where the filter names a client or operations, how those operations perform.
 *
 * @param databaseUrl of the gateway's database
 * @throws {CommandError} without one, for a name that the graph does not have, and for a client or an operation without
 *   any use
 */
export async function reportUsage(call: UsageQuery, databaseUrl: string | undefined): Promise<void> {
  const { days, isJson } = call;
  const filter = filterOf(call);
  const isOfOperations = filter.clientName !== undefined || filter.operations !== undefined;
  const { found, recordedDays } = await withUsageRecords(databaseUrl, async (records) => ({
    found: await (isOfOperations
      ? operationsFound(records, days, filter)
      : fieldsFound(records, days, filter)),
    recordedDays: await records.recordedDays(),
  }));
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ days, recordedDays, ...found.json }, undefined, 2)}\n`);
    return;
  }
  if (found.text === '') {
    const sentence = noUse(call, recordedDays);
    // Clients and operations are known by their use.
    if (isOfOperations) {
      throw new CommandError(sentence);
    }
    process.stdout.write(printableLines(`${sentence}\n`));
    return;
  }
  const reach = `\nRecords reach back ${counted(recordedDays, 'day')}, today included.\n`;
  process.stdout.write(printableLines(`${found.text}${recordedDays < days ? reach : ''}`));
}

/** The filter with the fields of the subgraph, or with the named ones of them. */
function filterOf({ filter, subgraph, supergraphPath }: UsageQuery): UsageFilter {
  if (subgraph === undefined) {
    return filter;
  }
  const { schema } = readSupergraph(supergraphPath);
  const subgraphs = subgraphValues(schema);
  const value = subgraphs.get(subgraph);
  if (value === undefined) {
    throw new CommandError(
      `There is no subgraph ${subgraph} in ${supergraphPath}; it has ${[...subgraphs.keys()].join(', ')}`,
    );
  }
  const fields = fieldsOfSubgraph(schema, value);
  return { ...filter, fields: fields.filter((field) => filter.fields?.includes(field) ?? true) };
}

interface Found {
  readonly json: object;
  /** Empty when there is nothing. */
  readonly text: string;
}

async function operationsFound(records: UsageRecords, days: number, filter: UsageFilter): Promise<Found> {
  const operations = (await records.operationUses(days, filter)).map(operationReport);
  return { json: { operations }, text: operationTables(operations) };
}

async function fieldsFound(records: UsageRecords, days: number, filter: UsageFilter): Promise<Found> {
  const uses = await records.uses(days, filter);
  const byField = [...Map.groupBy(uses, ({ field }) => field)];
  return {
    json: { fields: uses },
    text: byField.map(([field, ofField]) => paragraph(field, ofField)).join(''),
  };
}

/**
 * No record does not mean no use: some things, such as arguments, are never recorded.
 *
 * @throws {CommandError} for these, and for a name that the graph does not have
 */
function noUse(
  { days, filter: { fields = [], types = [] }, supergraphPath }: UsageQuery,
  recordedDays: number,
): string {
  if (recordedDays === 0) {
    return 'No usage is recorded. Is this the database of the gateway that clients use?';
  }
  const reach = recordedDays < days ? `, and records reach back ${counted(recordedDays, 'day')}` : '';
  const named = [...fields, ...types];
  const schema = named.length === 0 ? undefined : readSupergraph(supergraphPath).apiSchema;
  const explained = schema === undefined ? [] : explainAll(schema, fields, types);
  if (explained.length > 0) {
    throw new CommandError(explained.join('\n'));
  }
  return `No use is recorded in the last ${counted(days, 'day')}${reach}`;
}

function explainAll(
  schema: GraphQLSchema,
  fields: readonly string[],
  types: readonly string[],
): readonly string[] {
  return [
    ...fields.flatMap((field) => explainNoUse(schema, field) ?? []),
    ...types.flatMap((type) => (hasRecordedFields(schema, type) ? [] : (explainNoUse(schema, type) ?? []))),
  ];
}

function hasRecordedFields(schema: GraphQLSchema, name: string): boolean {
  const type = schema.getType(name);
  return isObjectType(type) || isInterfaceType(type);
}

function paragraph(field: string, uses: readonly FieldUse[]): string {
  const requests = uses.reduce((sum, use) => sum + use.requests, 0);
  const users = uses.map((use) => `  ${String(use.requests).padStart(10)}  ${describeUse(use)}\n`);
  return `${field}  ${counted(requests, 'request')}\n${users.join('')}`;
}
