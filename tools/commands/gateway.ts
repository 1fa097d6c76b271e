// `pnpm gateway`: the gateway by its own entry, which an image runs without this folder.
import '../../apps/gateway/src/main.ts';
