import { globSync, readFileSync } from 'node:fs';

import { reportFaults } from '../report-faults.ts';
import { keepVerdicts } from './kept-verdicts.ts';
import { analyse, regexFaults } from './regex-faults.ts';

const madeOfTexts = {
  'packages/graph/router-config/src/declaration/value-types.ts':
    'the patterns of router.yaml are the operator’s own; docs/router-yaml.md says that they can backtrack',
  'packages/development/benchmarks/src/soak/events/probe.ts':
    'made of a number, for responses that the soak test requested',
  'packages/development/benchmarks/src/soak/watch/sampler.ts':
    'made of the names of our metrics, for our metrics',
  'packages/development/testing/src/openapi/response-checker.ts':
    'made of the paths of our routes, for tests',
};

/** Refuses a regular expression in an app or a package that can take more than linear time. */
export function checkRegexes(): void {
  const paths = globSync('{apps,packages/*}/*/src/**/*.{ts,tsx}').toSorted();
  const sources = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const kept = keepVerdicts('node_modules/.cache/meridian/regexes.json', analyse);
  const faults = regexFaults(sources, madeOfTexts, kept.findFault);
  kept.save();
  reportFaults(faults, `regexes: ${paths.length} files, ${faults.length} faults`);
}
