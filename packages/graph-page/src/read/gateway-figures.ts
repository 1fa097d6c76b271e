import type { KnownGraph, ReadFigures } from '@meridian/schema-check';

/** Figures of a field, as the gateway computes them. The gateway provides it. */
export type ReadFieldFigures = (
  supergraph: KnownGraph['graph']['supergraph'],
) => (typeName: string, fieldName: string) => FieldFigures;

export interface FieldFigures {
  readonly cost: number;
  readonly requires: string | undefined;
  readonly cache: string | undefined;
}

/** The gateway's part of the page. */
export interface GatewayFigures {
  readonly readFigures: ReadFigures;
  readonly readFieldFigures: ReadFieldFigures;
}
