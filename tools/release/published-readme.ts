import { releaseConfig } from './release-config.ts';

/**
 * A README for npm: packages have their published names, and links to files of the repository, which the package does
 * not have, are their text.
 */
export function publishedReadme(text: string): string {
  const named = text.replaceAll(/@meridian\/[a-z-]+/gu, (name) => releaseConfig.names[name] ?? name);
  return named.replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/gu, '$1');
}
