// `pnpm images`: the images of docker/Dockerfile and the services of docker/compose.yaml, on a Debian machine without Docker.
import { readArgs, runCommand, UsageError } from '@meridian/settings/command-line';

import { buildImages } from '../images/build-images.ts';
import { testImages } from '../images/test-images.ts';
import { missingFor } from '../images/tools.ts';

const help = `Usage: pnpm images <build|test>

Builds the image of each app by docker/Dockerfile, on a machine that has neither Docker nor
a registry of images: with buildah, on a base of Debian's packages and the npm package node.

  build   builds all images, into .data/images
  test    builds them, starts the services of docker/compose.yaml from them, and runs the
          commands of a newcomer against these
  --help  print this

It takes root, and buildah and mmdebstrap of Debian; the test also podman and runc (or it
changes roots with buildah), psql, redis-server and iproute2. With Docker, use
docker compose --file docker/compose.yaml up --build.

Exit code: 0 when all was built and passed, or when this machine cannot ("not run: …");
1 when not, 2 for a wrong call.`;

const purposes = ['build', 'test'] as const;

await runCommand({
  name: 'pnpm images',
  help,
  read(args) {
    const [word = ''] = readArgs(args, {}, ['<build|test>']).others;
    const purpose = purposes.find((each) => each === word);
    if (purpose === undefined) {
      throw new UsageError(`<build|test> is "${word}"; it takes ${purposes.join(' or ')}`);
    }
    return purpose;
  },
  async run(purpose) {
    const missing = missingFor(purpose);
    if (missing.length > 0) {
      console.log(`images: NOT RUN on this machine: ${missing.join(', ')}`);
      return;
    }
    await buildImages();
    if (purpose === 'test') {
      testImages();
    }
  },
});
