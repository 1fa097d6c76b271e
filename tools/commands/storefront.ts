// `pnpm storefront`: the example client in a browser, over a running stack.
import '../../apps/storefront/src/main.ts';
