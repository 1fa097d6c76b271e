import type { ValueType } from '@meridian/settings/values';

/** Subgraph → its URL. */
export type SubgraphUrls = ReadonlyMap<string, string>;

type TextType<Value> = Pick<ValueType<Value>, 'takes' | 'parse'>;

/** A subgraph of `--subgraph`. */
export const namedUrl: TextType<readonly [name: string, url: string]> = {
  takes: '<name>=<url>, such as books=http://localhost:4171/',
  parse(text) {
    const [, name = '', url = ''] = /^([a-z][\w-]{0,63})=(https?:\/\/.+)$/iu.exec(text) ?? [];
    return URL.canParse(url) ? [name, url] : undefined;
  },
};

/** Holds the flags `--subgraph` among the others' variables. Nobody but `withFlags` sets it. */
export const subgraphsVariable = 'MERIDIAN_SUBGRAPH_FLAGS';

/** Subgraphs with different names, separated by spaces. */
export const subgraphUrls: TextType<SubgraphUrls> = {
  takes: `${namedUrl.takes}, each name once, separated by spaces`,
  parse(text) {
    const entries = text.split(' ').map(namedUrl.parse);
    const urls = new Map(entries.filter((entry) => entry !== undefined));
    return urls.size === entries.length ? urls : undefined;
  },
};
