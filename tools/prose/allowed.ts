import type { Allowed } from './prose-faults.ts';

/** Phrases that may stay, each in its file. */
export const allowed: readonly Allowed[] = [
  { path: 'docs/glossary.md', text: 'dear', reason: 'lists the words that we do not use' },
  { path: 'docs/rules.md', text: 'behind it', reason: 'quotes the specification' },
];
