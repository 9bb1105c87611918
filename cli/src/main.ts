#!/usr/bin/env node
import { runPlimsoll } from "./plimsoll.ts";

process.exitCode = await runPlimsoll(process.argv.slice(2), process.env);
