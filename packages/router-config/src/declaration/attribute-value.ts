import { scalar } from './value-type.ts';

type Scalar = string | number | boolean;

/**
 * The value of an attribute in OpenTelemetry: a text, a number, `true`, `false`, or a list of values of one of these
 * types.
 */
export type AttributeValue = Scalar | readonly Scalar[];

const scalars = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] as const;

export const attributeValue = scalar<AttributeValue>({
  takes: 'a text, a number, true, false, or a list of values of one of these types',
  read: (value) => (isScalar(value) || isListOfOneType(value) ? value : undefined),
  schema: { anyOf: [...scalars, ...scalars.map((items) => ({ type: 'array', items }))] },
});

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value !== '');
}

function isListOfOneType(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.every((item) => isScalar(item) && typeof item === typeof value[0]);
}
