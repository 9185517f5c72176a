// The service worker: lessons and drills without a network. The build puts the list of files in.
const FILES = ['./', ...__FILES__]
const WORDS = __WORDS__
const BASE = new URL('./', location.href).pathname
// Other programs at the same name, and other Tercets below other paths, have stores of their own.
const OURS = `tercet ${BASE} `
const STORE = `${OURS}__VERSION__`

const older = async () => (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== STORE)

/** The files, and those of each language that an older version kept: the new one may begin without a network. */
async function install() {
  const store = await caches.open(STORE)
  const kept = await Promise.all((await older()).map(async (name) => (await caches.open(name)).keys()))
  const spoken = Object.keys(WORDS).filter((code) => kept.flat().some(({ url }) => url.includes(`/${code}-`)))
  await store.addAll([...FILES, ...spoken.flatMap((code) => WORDS[code])])
}

addEventListener('install', (event) => event.waitUntil(install()))

// A new version waits until no page of the old one is open, so nothing changes under a player's hands.
addEventListener('activate', (event) => {
  event.waitUntil(
    older()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  )
})

// A page tells its language: the messages of that one are kept too, also by a new version that waits.
addEventListener('message', (event) => {
  if (event.source instanceof Client) registration.waiting?.postMessage(event.data)
  event.waitUntil(
    caches.open(STORE).then((store) =>
      Promise.all((WORDS[event.data] ?? []).map(async (file) => (await store.match(file)) || store.add(file))),
    ),
  )
})

addEventListener('fetch', (event) => {
  const { request } = event
  const address = new URL(request.url)
  if (request.method !== 'GET' || address.origin !== location.origin || !address.pathname.startsWith(BASE)) return
  if (address.pathname.startsWith(`${BASE}api/`)) return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match('./')))
  else event.respondWith(caches.match(request).then((found) => found || fetch(request)))
})
