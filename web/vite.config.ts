import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/paraglide',
      outputStructure: 'locale-modules',
      emitTsDeclarations: false,
      emitReadme: false,
    }),
    svelte(),
  ],
  build: {
    outDir: '../src/tercet/server/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8008', ws: true } } },
  test: { environment: 'happy-dom', include: ['tests/*.test.ts'] },
})
