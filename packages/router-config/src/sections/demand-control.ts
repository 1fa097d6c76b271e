import { amount } from '../value-types/amount.ts';
import { boolean } from '../value-types/boolean.ts';
import { checked } from '../value-types/checked.ts';
import { defaulting, optional, required } from '../value-types/key.ts';
import { oneOf } from '../value-types/one-of.ts';
import { section } from '../value-types/section.ts';
import { wholeNumber } from '../value-types/whole-number.ts';

const staticEstimated = section({
  /** The length of a list that says nothing about its length. */
  list_size: required(wholeNumber({ minimum: 0 })),
  /** The most that one operation may cost. */
  max: required(amount),
});

/** The cost that an operation may have. */
export const demandControl = checked(
  section({
    enabled: defaulting(boolean, false),
    /** `measure` lets an operation over the bound run, and writes it to the log. */
    mode: defaulting(oneOf('measure', 'enforce'), 'measure'),
    strategy: optional(section({ static_estimated: required(staticEstimated) })),
  }),
  ({ enabled, strategy }) =>
    enabled && strategy === undefined ? 'needs strategy.static_estimated' : undefined,
);
