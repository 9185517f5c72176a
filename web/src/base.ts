/** Where below its name the site is: `/`, or `/tercet/` for a server with the setting `path`. */

// The scripts lie in a folder of the site; the development server has them at the root.
const BASE = import.meta.env.PROD ? new URL('..', import.meta.url).pathname : '/'

/** The address of a path of the site, as links and requests need it. Everything else writes paths as they are at the root. */
export const to = (path: string): string => BASE + path.slice(1)

/** The path of the site that an address names; the start page for what is not below it. */
export const below = (pathname: string): string => (pathname.startsWith(BASE) ? `/${pathname.slice(BASE.length)}` : '/')

/** Whether an address is one of the site. */
export const isOurs = ({ origin, pathname }: { origin: string; pathname: string }): boolean =>
  origin === location.origin && pathname.startsWith(BASE)
