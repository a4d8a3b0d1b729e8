// The application in next-app, built and started as its developer would.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const NEXT = dirname(createRequire(import.meta.url).resolve("next/package.json"));

/** The folder of the built application, until the tests of the file end. */
export async function buildApplication() {
  const folder = await mkdtemp(join(tmpdir(), "doorward-next-"));
  after(() => rm(folder, { recursive: true, force: true }));
  await cp(here("next-app"), folder, { recursive: true });
  await writeFile(join(folder, "package.json"), "{}");
  await mkdir(join(folder, "node_modules"));
  const link = (name, target) => symlink(target, join(folder, "node_modules", name));
  const modules = (await readdir(dirname(NEXT))).filter((name) => !name.startsWith(".") && name !== "doorward");
  await Promise.all([link("doorward", here("..")), ...modules.map((name) => link(name, join(dirname(NEXT), name)))]);
  const build = next(folder, ["build"], {});
  const [code] = await once(build.process, "exit");
  if (code !== 0) throw new Error(build.output());
  return folder;
}

/** Starts it; `stop` ends it, as does the end of the tests of the file. */
export async function startApplication(folder, port, environment) {
  const started = next(folder, ["start", "--hostname", "localhost", "--port", String(port)], environment);
  const stop = async () => {
    if (started.process.exitCode !== null || started.process.signalCode !== null) return;
    started.process.kill("SIGKILL");
    await once(started.process, "exit");
  };
  after(stop);
  while (!started.output().includes("Ready")) await once(started.process.stdout, "data");
  return { url: `http://localhost:${port}`, output: started.output, stop };
}

function next(folder, options, environment) {
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...environment };
  const child = spawn(process.execPath, [join(NEXT, "dist/bin/next"), ...options], { cwd: folder, env, stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { process: child, output: () => output };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}
