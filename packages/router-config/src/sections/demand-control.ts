import { amount } from '../declaration/amount.ts';
import { boolean } from '../declaration/boolean.ts';
import { checked } from '../declaration/checked.ts';
import { defaulting, optional, required } from '../declaration/key.ts';
import { oneOf } from '../declaration/one-of.ts';
import { section } from '../declaration/section.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

const staticEstimated = section({
  /** The assumed length of a list without a directive about it. */
  list_size: required(wholeNumber({ minimum: 0 })),
  /** The highest cost of one operation. */
  max: required(amount),
});

/** Limits on the cost of an operation. */
export const demandControl = checked(
  section({
    enabled: defaulting(boolean, false),
    /** `measure` runs an operation over the limit, and logs it. */
    mode: defaulting(oneOf('measure', 'enforce'), 'measure'),
    strategy: optional(section({ static_estimated: required(staticEstimated) })),
  }),
  ({ enabled, strategy }) =>
    enabled && strategy === undefined ? 'needs strategy.static_estimated' : undefined,
);
