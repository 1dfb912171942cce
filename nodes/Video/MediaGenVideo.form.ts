import { builderHintOf } from '../shared/form/builderHints';
import { catalogProperties } from '../shared/form/catalogProperties';
import { subtitleOf } from '../shared/form/expressions';
import { paneHintsOf } from '../shared/form/paneHints';
import { VIDEO_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS } from '../shared/form/expressions';
export { WAITING_TOOLTIP } from '../shared/form/expressions';

export const SUBTITLE = subtitleOf(VIDEO_CATALOG);

export const BUILDER_HINT = builderHintOf(VIDEO_CATALOG);

export const HINTS = paneHintsOf(VIDEO_CATALOG);

export const properties = () => catalogProperties(VIDEO_CATALOG);
