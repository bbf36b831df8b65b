// Files that outlive the page: solved tables and the book, in IndexedDB. Where there is none, nothing is kept.

const NAME = "tabia";
const STORE = "files";

const settled = (request) =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

let opened;
function open() {
  if (!globalThis.indexedDB) return null;
  opened ??= (() => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return settled(request);
  })();
  return opened;
}

// All files below a folder: names and bytes.
export async function kept(folder) {
  const database = await open()?.catch(() => null);
  if (!database) return [];
  const store = database.transaction(STORE).objectStore(STORE);
  const range = IDBKeyRange.bound(folder, folder + "\uffff");
  const [names, contents] = await Promise.all([settled(store.getAllKeys(range)), settled(store.getAll(range))]);
  return names.map((name, i) => [name, contents[i]]);
}

// Keeps files, or forgets those without bytes: all of them, or none.
export async function keep(files) {
  const database = await open()?.catch(() => null);
  if (!database || !files.length) return;
  const change = database.transaction(STORE, "readwrite");
  for (const [name, bytes] of files) {
    if (bytes) change.objectStore(STORE).put(bytes, name);
    else change.objectStore(STORE).delete(name);
  }
  await new Promise((done, fail) => {
    change.oncomplete = done;
    change.onabort = change.onerror = () => fail(change.error);
  });
}
