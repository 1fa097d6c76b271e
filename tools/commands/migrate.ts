// `pnpm migrate <app>`: the migrations of an app, by their own entry, which an image runs without this folder.
import '../../packages/services/database/src/migrate.ts';
