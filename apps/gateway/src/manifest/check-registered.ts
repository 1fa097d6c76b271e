import { setImmediate } from 'node:timers/promises';

import type { Supergraph } from '@meridian/executor';
import { SupergraphError } from '@meridian/executor';
import { GraphQLError, parse, validate } from 'graphql';

import type { Manifest, ManifestOperation } from './manifest.ts';

/** The operations that one message names. */
const maxNamed = 5;

/**
 * Checks, between requests, that a supergraph breaks no operation of the manifest. One that is not valid over the
 * supergraph in force either does not count: a manifest may be published before its supergraph.
 *
 * @param current the supergraph in force; absent at the start
 * @throws {SupergraphError} that names the operations
 */
export async function checkRegistered(
  { operations }: Manifest,
  next: Supergraph,
  current: Supergraph | undefined,
): Promise<void> {
  const broken: string[] = [];
  for (const operation of operations) {
    const fault = faultOf(operation, next);
    if (fault !== undefined && (current === undefined || faultOf(operation, current) === undefined)) {
      broken.push(`${operation.name} (${operation.id}): ${fault}`);
    }
    await setImmediate();
  }
  if (broken.length > 0) {
    const more = broken.length > maxNamed ? `; and ${broken.length - maxNamed} more` : '';
    throw new SupergraphError(
      `Cannot take the supergraph: with it, operations of the manifest are not valid: ${broken.slice(0, maxNamed).join('; ')}${more}. meridian.breaking_supergraph: warn takes it all the same`,
    );
  }
}

function faultOf({ text }: ManifestOperation, { apiSchema }: Supergraph): string | undefined {
  try {
    return validate(apiSchema, parse(text), undefined, { maxErrors: 1 }).at(0)?.message;
  } catch (error) {
    if (error instanceof GraphQLError) {
      return error.message;
    }
    throw error;
  }
}
