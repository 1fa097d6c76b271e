import { checked, mapOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { amount, oneOf, wholeNumber } from '../declaration/value-types.ts';

const ofSubgraph = section({
  list_size: key(wholeNumber({ minimum: 0 }), {
    note: 'The assumed length of a list there. Default: the one of `all`, then the one for the operation',
  }),
  max: key(amount, {
    note: 'The highest cost of all fetches of an operation from one subgraph together, by the plan. Over it, each fails with SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE, and the others run; a subscription is rejected',
  }),
});

const staticEstimated = section({
  list_size: key(wholeNumber({ minimum: 0 }), {
    required: true,
    note: 'The assumed length of a list without other information',
  }),
  max: key(amount, {
    required: true,
    note: 'The highest cost of an operation. The selections of `@requires` count too, as in Router',
  }),
  actual_cost_mode: key(oneOf('by_subgraph', 'by_response_shape'), {
    default: 'by_response_shape',
    note: 'The actual cost, which is only reported: of the client’s response, or with by_subgraph, Router’s default, of all responses of subgraphs together. They stay in memory until the request ends. Each client of a deduplicated request gets its cost, in Router one of them; each fetch of a mutation costs 10 more, as in the estimate. Events of subscriptions are not measured',
  }),
  subgraph: section({
    all: key(ofSubgraph, { default: {}, note: 'For each subgraph by itself. Since Router 2.13' }),
    subgraphs: key(mapOf(ofSubgraph), {
      default: {},
      note: 'For one subgraph; an absent key is the one of `all`',
    }),
  }),
});

/** Limits on the cost of an operation. */
export const demandControl = checked(
  section({
    enabled: flag('Limits the cost of an operation'),
    mode: key(oneOf('measure', 'enforce'), {
      default: 'measure',
      note: 'measure runs an operation over the limit, and logs it',
    }),
    strategy: key(section({ static_estimated: key(staticEstimated, { required: true }) }), {}),
  }),
  ({ enabled, strategy }) =>
    enabled && strategy === undefined ? 'needs strategy.static_estimated' : undefined,
);
