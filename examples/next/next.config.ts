export default { skipProxyUrlNormalize: true };
