/** What the API answers about files, configurations and measurements, by the words of these pages. */
export type {
	ConfigurationDetail,
	ConfigurationItem as Configuration,
	ForecastRecord,
	InputError as Issue,
	ModelItem as Model,
	RunDetail,
	RunItem as Run,
	StoredMeasurement as Measurement,
	UploadAnswer,
} from "@plimsoll/api";
