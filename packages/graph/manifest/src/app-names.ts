import { basename, dirname } from 'node:path';

/**
 * The names of apps by the files of their manifests, for files that do not say: `manifests/storefront.json` is of
 * storefront. Where several files have one name, their folders tell the apps apart:
 * `clients/ios/persisted-documents.json` is of ios.
 */
export function appNames(files: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const file of files) {
    count.set(basename(file), (count.get(basename(file)) ?? 0) + 1);
  }
  return new Map(
    files.map((file) => {
      const isShared = (count.get(basename(file)) ?? 0) > 1;
      return [file, isShared ? basename(dirname(file)) : basename(file, '.json')];
    }),
  );
}
