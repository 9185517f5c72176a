// Pages that are read from the disk may start no worker, and the search runs in one. There it runs in a hidden frame instead.
if (location.protocol === 'file:')
  window.Worker = class extends EventTarget {
    #frame = document.createElement('iframe')
    #ready

    constructor(address) {
      super()
      this.#frame.hidden = true
      this.#ready = new Promise((go) => {
        const begin = () => {
          document.body.append(this.#frame)
          const inside = this.#frame.contentWindow
          const load = (script) =>
            new Promise((done, failed) => {
              const element = inside.document.createElement('script')
              Object.assign(element, { src: script, onload: done, onerror: failed })
              inside.document.body.append(element)
            })
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent('message', { data }))
          inside.importScripts = (...scripts) => scripts.reduce((before, script) => before.then(() => load(script)), Promise.resolve())
          load(address).then(() => go(inside))
        }
        if (document.body) begin()
        else addEventListener('DOMContentLoaded', begin)
      })
    }

    postMessage(data) {
      this.#ready.then((inside) => inside.dispatchEvent(new MessageEvent('message', { data })))
    }

    terminate() {
      this.#frame.remove()
    }
  }
