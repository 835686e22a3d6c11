package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// variant is a set of values of the chart, a file in its folder ci.
type variant struct {
	name    string
	values  map[string]any
	refused string // text of the error, if the chart must refuse the values
}

// refusedComment begins the first line of files that the chart must refuse. A text of the error follows.
const refusedComment = "# refused: "

func checkChart(folder string) error {
	c, err := loader.Load(folder)
	if err != nil {
		return err
	}
	all, err := variants(filepath.Join(folder, "ci"))
	if err != nil {
		return err
	}
	for _, v := range all {
		objects, err := render(c, v)
		if v.refused != "" {
			if err == nil || !strings.Contains(err.Error(), v.refused) {
				return fmt.Errorf("%s: want a refusal with %q, got: %v", v.name, v.refused, err)
			}
			fmt.Printf("%s: refused: %v\n", v.name, err)
			continue
		}
		if err == nil {
			err = lintChart(folder, v)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		fmt.Printf("%s: %s\n", v.name, strings.Join(objects, ", "))
	}
	return nil
}

func variants(folder string) ([]variant, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml")) // sorted
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s has no values", folder))
	}
	var all []variant
	for _, path := range paths {
		v := variant{name: filepath.Base(path)}
		text, err := os.ReadFile(path)
		if err == nil {
			err = yaml.UnmarshalStrict(text, &v.values)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		if reason, found := strings.CutPrefix(line, refusedComment); found {
			v.refused = reason
		}
		all = append(all, v)
	}
	return all, nil
}

// render returns the kinds of the objects that the chart creates. It fails if the values do not fit the schema
// of the chart, or if an object has a field that Kubernetes does not know.
func render(c *chart.Chart, v variant) ([]string, error) {
	values, err := chartutil.ToRenderValues(c, v.values, chartutil.ReleaseOptions{Name: "moothall", Namespace: "meetups"}, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(c, values)
	if err != nil {
		return nil, err
	}
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	var kinds []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".yaml" || strings.TrimSpace(files[name]) == "" {
			continue
		}
		_, kind, err := decoder.Decode([]byte(files[name]), nil, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", name, err, files[name])
		}
		kinds = append(kinds, kind.Kind)
	}
	return kinds, nil
}

func lintChart(folder string, v variant) error {
	var problems []error
	for _, m := range lint.All(folder, v.values, "meetups", true).Messages {
		if m.Severity >= support.WarningSev {
			problems = append(problems, m)
		}
	}
	return errors.Join(problems...)
}
