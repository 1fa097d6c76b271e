import type { AdminRoute } from '@meridian/http';

/** Apollo Router's health check, as a path of the admin listener; none where it is off. */
export function healthRoute(path: string | undefined): Readonly<Record<string, AdminRoute>> {
  return path === undefined ? {} : { [path]: respondHealth };
}

const respondHealth: AdminRoute = () => ({
  status: 200,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ status: 'UP' }),
});
