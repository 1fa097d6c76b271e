/**
 * The section of a changelog (Keep a Changelog) about a version, without its heading.
 *
 * @returns undefined where there is none
 */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /mu).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  return section?.slice(section.indexOf('\n')).trim();
}
