import { runGit } from '@meridian/settings/command-line';

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

/**
 * A section about each commit since the last release, by its area, for the notes of a release: the subject of a commit
 * is
 * `area: what it does`.
 *
 * @param root of a Git repository, with its tags
 * @param tag of this release, which may not exist yet
 * @returns undefined where no release is older
 */
export function commitsSinceRelease(root: string, tag: string | undefined): string | undefined {
  const git = (...args: readonly string[]): string => runGit(args, root);
  const previous = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
    .split('\n')
    .find((name) => name !== '' && name !== tag);
  if (previous === undefined) {
    return undefined;
  }
  const subjects = git('log', '--no-merges', '--reverse', '--format=%s', `${previous}..HEAD`)
    .trim()
    .split('\n');
  const areas = Map.groupBy(subjects, (subject) => /^([\w-]+): /u.exec(subject)?.[1] ?? 'other');
  const lists = [...areas]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([area, ofArea]) => listOf(area, ofArea));
  return [`### Commits since ${previous}\n`, ...lists].join('\n');
}

function listOf(area: string, subjects: readonly string[]): string {
  const items = subjects.map((subject) => `  - ${subject.replace(`${area}: `, '')}`);
  return [`- **${area}**`, ...items].join('\n');
}
