import type { NextConfig } from "next";

const nextConfig: NextConfig = {
  skipProxyUrlNormalize: true, // so that proxy.ts can tell prefetches
};

export default nextConfig;
