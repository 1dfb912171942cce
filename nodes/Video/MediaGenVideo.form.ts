import { builderHintOf } from '../shared/form/builderHints';
import { catalogProperties } from '../shared/form/catalogProperties';
import { paneHintsOf, subtitleOf } from '../shared/form/expressions';
import { VIDEO_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS, WAITING_TOOLTIP } from '../shared/form/expressions';

export const SUBTITLE = subtitleOf(VIDEO_CATALOG);

export const BUILDER_HINT = builderHintOf(VIDEO_CATALOG);

export const HINTS = paneHintsOf(VIDEO_CATALOG);

export const properties = () => catalogProperties(VIDEO_CATALOG);
