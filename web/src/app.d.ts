declare global {
	namespace App {
		interface Error {
			/** What the reader can do about it. */
			advice?: string;
		}
	}
}

export {};
