import { checked } from '../declaration/key-type.ts';
import { key, section } from '../declaration/key.ts';
import { amount, boolean, oneOf, wholeNumber } from '../declaration/value-types.ts';

const staticEstimated = section({
  list_size: key(wholeNumber({ minimum: 0 }), {
    required: true,
    note: 'The assumed length of a list without other information',
  }),
  max: key(amount, {
    required: true,
    note: 'The highest cost of an operation. The selections of `@requires` count too, as in Router',
  }),
});

/** Limits on the cost of an operation. */
export const demandControl = checked(
  section({
    enabled: key(boolean, { default: false, note: 'Limits the cost of an operation' }),
    mode: key(oneOf('measure', 'enforce'), {
      default: 'measure',
      note: 'measure runs an operation over the limit, and logs it',
    }),
    strategy: key(section({ static_estimated: key(staticEstimated, { required: true }) }), {}),
  }),
  ({ enabled, strategy }) =>
    enabled && strategy === undefined ? 'needs strategy.static_estimated' : undefined,
);
