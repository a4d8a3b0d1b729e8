export default {
  // So that proxy.js can tell prefetches.
  skipProxyUrlNormalize: true,
  // The packages are links out of the folder.
  turbopack: { root: "/" },
};
