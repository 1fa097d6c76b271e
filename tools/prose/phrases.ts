/** A phrase that makes a reader stop, and what to write instead. */
export interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Refused wherever they occur in prose. */
export const phrases: readonly Phrase[] = [
  { pattern: /\bwhoever\b/giu, instead: 'name them: "a client that", "operators who"' },
  {
    pattern: /\b(?:that|which|what|where|when|because|if)\s+nobody\b/giu,
    instead: 'say who does not: "no client", "no other request", "nothing"',
  },
  {
    pattern: /\b(?:that|when|whenever|where|if|as|until|because)\s+somebody\b/giu,
    instead: 'say who: "a client", "another writer", "a reader"',
  },
  { pattern: /\bunless\s+(?:\w+\s+){0,2}told\b/giu, instead: '"Default: …."' },
  {
    pattern: /\b(?:is|are|was|were|be|been|being)\s+told\b/giu,
    instead: 'say who learns what: "gets", "receives", "reads", "sees"',
  },
  { pattern: /\bof\s+(?:now|before|late)\b(?!\s+\w)/giu, instead: '"current", "previous", "recent"' },
  { pattern: /\bbecomes?\s+of\b/giu, instead: '"what happens to"' },
  {
    pattern: /\b(?:that|those)\s+of\b/giu,
    instead: 'repeat the noun, or use a possessive: "the subgraph’s"',
  },
  { pattern: /\bonce\s+more\b/giu, instead: '"again"' },
  {
    pattern: /\btold\s+(?:of|when|what|which|that)\b/giu,
    instead: 'say who learns what: "called with", "called when"',
  },
  { pattern: /\b(?:creates|makes)\s+what\b/giu, instead: 'name it: "creates the writer of …"' },
  { pattern: /\bh(?:olds?|eld)(?:\s+\S+){0,3}\s+against\b/giu, instead: '"compare with", "check against"' },
  { pattern: /\bdear(?:er|est)?\b/giu, instead: '"expensive", "most expensive"' },
  {
    pattern:
      /(?<!\b(?:there|here)\s+)\b(?:is|are|was|were)\s+no\s+(?!longer|more|less|later|earlier|fewer|greater|smaller|larger|longer|better|worse|wider)\w/giu,
    instead: '"is not a"; "there is no"; "has no"',
  },
  {
    pattern:
      /\bbehind\s+(?:what|that|those|it|them|its|which|whose|however|the\s+(?:last|first|others?|end|values?|back|commas?|colons?|query|mutation|operation|items?|position|responses?|answers?|ones?))\b/giu,
    instead: '"after", "following", "in the background"',
  },
  {
    pattern: /\bstands?\s+(?:for|at|behind|in|between|there|open|twice|together|on|beside|before|after)\b/giu,
    instead: '"is", "means", "represents", "comes before", "occurs twice"',
  },
];

/** Refused at the start of a comment. */
export const openings: Phrase = {
  pattern: /(?:What|Whether|How|Who|Whose|One\s+that)\b/guy,
  instead: 'start with the thing ("The current graph") or a verb ("Frees…", "Called with…")',
};

/** Refused at the start of a test's full name, which is a sentence: its subject, then what it does. */
export const testNameOpenings: Phrase = {
  pattern:
    /(?:an?|the|one|two|each|every|many|some|any|no|is|are|has|have|does|of|for|in|on|with|without|while|when|where|what|which|that|and|but)\b/guy,
  instead: 'start with the subject: a capital letter ("The gateway …"), or a symbol (`readConfig …`)',
};

/** A phrase that may stay in a file, with the reason. */
export interface Allowed {
  readonly path: string;
  readonly text: string;
  readonly reason: string;
}

/** Phrases that may stay, each in its file. */
export const allowed: readonly Allowed[] = [
  { path: 'docs/glossary.md', text: 'dear', reason: 'lists the words that we do not use' },
  { path: 'docs/rules.md', text: 'behind it', reason: 'quotes the specification' },
];
