import type { FieldFigures, KnownGraph, ReadFigures } from '@meridian/schema-check';

/** Figures of a field, as the gateway computes them. The gateway provides it. */
export type ReadFieldFigures = (
  supergraph: KnownGraph['graph']['supergraph'],
) => (typeName: string, fieldName: string) => FieldFigures;

/** The gateway's part of the page. */
export interface GatewayFigures {
  readonly readFigures: ReadFigures;
  readonly readFieldFigures: ReadFieldFigures;
}
