import type { LintRule } from '../linted-schema.ts';
import { directiveOf } from '../linted-schema.ts';

/** A deprecation has a reason, which tells clients what to use instead. */
export const deprecationReasons: LintRule = ({ elements }) =>
  elements
    .filter(({ directives }) => {
      const deprecated = directiveOf(directives, 'deprecated');
      return deprecated !== undefined && !deprecated.arguments?.some(({ name }) => name.value === 'reason');
    })
    .map(({ coordinate }) => ({ kind: 'LINT_NO_DEPRECATION_REASON', coordinate }));
